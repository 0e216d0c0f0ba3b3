#pragma once
#include <memory>

#include "base/engine.hpp"
#include "xiangqi/rules.hpp"

namespace arena::xiangqi {

/// random; greedy:noise=0; search:nodes=2000,noise=0,depth=64; perft:depth=4,count=0, which plays
/// the first legal move and counts the leaves of the tree of legal moves as its nodes.
std::unique_ptr<Engine> make_engine(const Rules& rules, const EngineSpec& spec);

}  // namespace arena::xiangqi

#pragma once
#include <memory>

#include "base/engine.hpp"
#include "chinese_checkers/rules.hpp"

namespace arena::chinese_checkers {

/// A reference engine: `random`, `greedy` or `search`, with options as
/// docs/games/chinese-checkers.md lists them. Throws FieldError.
std::unique_ptr<Engine> make_engine(std::shared_ptr<const Rules> rules, const EngineSpec& spec);

}  // namespace arena::chinese_checkers

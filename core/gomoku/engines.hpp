#pragma once
#include <memory>

#include "base/engine.hpp"
#include "gomoku/context.hpp"

namespace arena::gomoku {

/// `random`, `greedy`, `search`. Throws FieldError for an unknown name or option.
/// `context` must outlive the engine.
std::unique_ptr<Engine> make_engine(const Context& context, const EngineSpec& spec);

}  // namespace arena::gomoku

#pragma once
#include <memory>

#include "base/engine.hpp"
#include "siguo/rules.hpp"

namespace arena::siguo {

/// `random`, `greedy`, `rule` or `solver`. Throws FieldError for an unknown engine or option,
/// listing the valid ones.
std::unique_ptr<Engine> make_engine(const std::shared_ptr<const Rules>& rules,
                                    const EngineSpec& spec);

}  // namespace arena::siguo

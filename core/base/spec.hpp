#pragma once
#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <string_view>

#include "base/engine.hpp"
#include "base/fields.hpp"

namespace arena {

/// Reads "name:key=1,other=2". Throws FieldError that shows the offending part.
inline EngineSpec parse_engine_spec(std::string_view text) {
  EngineSpec spec;
  const std::size_t colon = text.find(':');
  spec.name = std::string(text.substr(0, colon));
  bool more = colon != std::string_view::npos;
  std::string_view rest = more ? text.substr(colon + 1) : std::string_view{};
  while (more) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string_view digits = item.substr(std::min(equals + 1, item.size()));
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range) {
      throw FieldError("engine option '" + std::string(item) + "': beyond what any option takes");
    }
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) {
      throw FieldError("engine option '" + std::string(item) + "': must be key=integer");
    }
    spec.options.emplace_back(std::string(item.substr(0, equals)), value);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  return spec;
}

/// Options of one engine, each with a default and a range.
class EngineOptions {
 public:
  struct Known {
    std::string_view name;
    std::int64_t standard, low, high;
  };

  EngineOptions(const EngineSpec& spec, std::initializer_list<Known> known) : known_(known) {
    for (const auto& [name, value] : spec.options) {
      bool found = false;
      for (const Known& option : known_) {
        if (option.name != name) continue;
        found = true;
        if (value < option.low || value > option.high) {
          throw FieldError("engine '" + spec.name + "', option " + name + ": " +
                           std::to_string(value) + " is not in " + std::to_string(option.low) +
                           ".." + std::to_string(option.high));
        }
      }
      if (!found) {
        std::string valid;
        for (const Known& option : known_) {
          valid += (valid.empty() ? "" : ", ") + std::string(option.name);
        }
        throw FieldError("engine '" + spec.name + "' has no option '" + name +
                         "'; it takes: " + (valid.empty() ? "none" : valid));
      }
      values_.emplace_back(name, value);
    }
  }

  std::int64_t get(std::string_view name) const {
    for (const auto& [given, value] : values_) {
      if (given == name) return value;
    }
    for (const Known& option : known_) {
      if (option.name == name) return option.standard;
    }
    throw FieldError("engine option '" + std::string(name) + "' is not declared");
  }

 private:
  std::vector<Known> known_;
  std::vector<std::pair<std::string, std::int64_t>> values_;
};

}  // namespace arena

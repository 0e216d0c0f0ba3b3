#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace arena {

/// Rule settings as they cross from Python: name to bool, int, text or nothing.
using FieldValue = std::variant<std::monostate, bool, std::int64_t, std::string>;
using Fields = std::map<std::string, FieldValue, std::less<>>;

/// Thrown at set-up only, never in the turn loop.
class FieldError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Reads typed settings out of `Fields`; each wrong or missing one is a
/// FieldError that names it. The typed Python record has checked them already:
/// this is the second fence, so that no caller can build a broken core game.
class FieldReader {
 public:
  explicit FieldReader(const Fields& fields) : fields_(fields) {}

  bool boolean(std::string_view name) const { return get<bool>(name, "true or false"); }

  int integer(std::string_view name, int low, int high) const {
    const std::int64_t value = get<std::int64_t>(name, "an integer");
    if (value < low || value > high) {
      throw FieldError(std::string(name) + ": " + std::to_string(value) + " is not in " +
                       std::to_string(low) + ".." + std::to_string(high));
    }
    return static_cast<int>(value);
  }

  /// `otherwise` where the setting is null.
  int integer_or(std::string_view name, int low, int high, int otherwise) const {
    return std::holds_alternative<std::monostate>(at(name)) ? otherwise : integer(name, low, high);
  }

  template <typename Enum, std::size_t N>
  Enum choice(std::string_view name,
              const std::array<std::pair<std::string_view, Enum>, N>& choices) const {
    const std::string& value = get<std::string>(name, "a word");
    std::string valid;
    for (const auto& [word, choice] : choices) {
      if (word == value) return choice;
      valid += (valid.empty() ? "" : ", ") + std::string(word);
    }
    throw FieldError(std::string(name) + ": '" + value + "' is none of " + valid);
  }

 private:
  const FieldValue& at(std::string_view name) const {
    const auto found = fields_.find(name);
    if (found == fields_.end()) throw FieldError(std::string(name) + ": missing");
    return found->second;
  }

  template <typename T>
  const T& get(std::string_view name, const char* wanted) const {
    const T* value = std::get_if<T>(&at(name));
    if (value == nullptr) throw FieldError(std::string(name) + ": must be " + wanted);
    return *value;
  }

  const Fields& fields_;
};

}  // namespace arena

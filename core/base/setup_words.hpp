#pragma once
#include <charconv>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/game.hpp"
#include "base/text.hpp"

namespace arena {

/// A set-up line of NAME=VALUE words in any order, each given once at most, with the first thing
/// that was found wrong. The text outlives it.
class SetupWords {
 public:
  /// Takes the line apart; a word of another name is an error that lists `names`.
  SetupWords(std::string_view text, std::initializer_list<std::string_view> names) {
    for (const std::string_view word : split(text, ' ')) {
      if (word.empty()) continue;
      const std::size_t equals = word.find('=');
      const std::string_view name = word.substr(0, equals);
      const bool known = std::find(names.begin(), names.end(), name) != names.end();
      if (equals == std::string_view::npos || !known) {
        std::string all;
        for (const std::string_view each : names) {
          all += (all.empty() ? "" : ", ") + std::string(each);
        }
        fail({"setup: '" + std::string(word.substr(0, kShown)) +
              "' is no NAME=VALUE with a name of " + all});
      } else if (!words_.emplace(name, word.substr(equals + 1)).second) {
        fail(wrong(name, word.substr(equals + 1), "given twice"));
      }
    }
  }

  static SetupError wrong(std::string_view name, std::string_view value, const std::string& why) {
    return {"setup: " + std::string(name) + "=" + std::string(value.substr(0, kShown)) + ": " +
            why};
  }

  bool any() const { return !words_.empty(); }
  bool has(std::string_view name) const { return words_.contains(name); }

  std::string_view value(std::string_view name, std::string_view otherwise) const {
    const auto found = words_.find(name);
    return found == words_.end() ? otherwise : found->second;
  }

  template <typename T = int>
  T number(std::string_view name, T otherwise, T low, T high) {
    return has(name) ? parsed<T>(name, value(name, ""), low, high) : otherwise;
  }

  /// A number within a word's value; `low` where it is none, which is an error.
  template <typename T = int>
  T parsed(std::string_view name, std::string_view text, T low, T high) {
    T out{};
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (bad != std::errc{} || end != text.data() + text.size() || out < low || out > high) {
      fail(wrong(name, text,
                 "a number from " + std::to_string(low) + " to " + std::to_string(high)));
      return low;
    }
    return out;
  }

  /// Keeps the first error.
  void fail(SetupError error) {
    if (!error_) error_ = std::move(error);
  }
  const std::optional<SetupError>& error() const { return error_; }

 private:
  static constexpr std::size_t kShown = 60;

  std::map<std::string_view, std::string_view> words_;
  std::optional<SetupError> error_;
};

}  // namespace arena

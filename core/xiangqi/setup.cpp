// Setup text: a FEN, then key=value items for what a FEN does not hold.
#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "xiangqi/state.hpp"

namespace arena::xiangqi {
namespace {

constexpr int kMostCounted = 20000;

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, 40)) {
    out += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F ? '?' : c;
  }
  return out + (text.size() > 40 ? "…'" : "'");
}

std::optional<int> number(std::string_view text, int low, int high) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (value < low || value > high) return std::nullopt;
  return value;
}

/// Reads word by word. Each part gives what is wrong, or "" where all is well.
class Reader {
 public:
  explicit Reader(const Rules& rules) : rules_(rules), course_(rules.flying) {}

  std::variant<Course, SetupError> read(std::string_view text) {
    std::string error = read_words(text);
    if (error.empty()) error = play_moves();
    if (!error.empty()) return SetupError{"setup: " + error};
    return std::move(course_);
  }

 private:
  std::string read_words(std::string_view text) {
    std::size_t field = 0;
    for (const std::string_view word : split(text, ' ')) {
      if (word.empty()) continue;
      const std::size_t equals = word.find('=');
      std::string error = equals == std::string_view::npos
                              ? read_fen(field++, word)
                              : read_item(word.substr(0, equals), word.substr(equals + 1));
      if (!error.empty()) return error;
    }
    if (field < 2) {
      return "a FEN has at least a board and the side to move, such as " +
             std::string(kStartBoard) + " w";
    }
    course_.base_plies = 2 * (round_ - 1) + (course_.base.to_move() == Side::black ? 1 : 0);
    if (course_.base.impossible()) {
      return "the side to move could capture the general at once; give the other side the move";
    }
    return "";
  }

  std::string read_fen(std::size_t field, std::string_view word) {
    switch (field) {
      case 0:
        return read_board(word, course_.base).value_or("");
      case 1:
        if (word != "w" && word != "r" && word != "b") {
          return quoted(word) + " is no side to move; say w (Red) or b (Black)";
        }
        course_.base.set_to_move(word == "b" ? Side::black : Side::red);
        return "";
      case 2:
      case 3:
        return word == "-" ? "" : quoted(word) + " must be -: Xiangqi does not use that field";
      case 4:
        return read_number("plies without a capture", word, 0, course_.base_quiet);
      case 5:
        return read_number("round", word, 1, round_);
      default:
        return quoted(word) + " is one field too many; a FEN has six";
    }
  }

  static std::string read_number(const std::string& what, std::string_view word, int low,
                                 int& into) {
    const auto value = number(word, low, kMostCounted);
    if (!value) {
      return what + ": " + quoted(word) + " is not a number from " + std::to_string(low) + " to " +
             std::to_string(kMostCounted);
    }
    into = *value;
    return "";
  }

  static std::string read_pair(const std::string& what, std::string_view word,
                               std::array<int, 2>& into) {
    const auto parts = split(word, ',');
    if (parts.size() != 2) return what + "=: say two numbers, Red's and Black's: 0,1";
    for (std::size_t side = 0; side < 2; ++side) {
      if (std::string error = read_number(what + "=", parts[side], 0, into[side]); !error.empty()) {
        return error;
      }
    }
    return "";
  }

  std::string read_item(std::string_view key, std::string_view value) {
    if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) {
      return quoted(key) + " is given twice";
    }
    seen_.push_back(key);
    if (key == "checks") return read_pair("checks", value, course_.base_checks);
    if (key == "fouls") {
      if (!rules_.claims && rules_.foul_limit == 0) {
        return "fouls= needs technical_foul_limit, or natural_limit_mode = claim";
      }
      return read_pair("fouls", value, course_.fouls);
    }
    if (key == "claimed") {
      if (value != "yes" || !rules_.claims) {
        return "claimed= takes 'yes' and needs natural_limit_mode = claim";
      }
      course_.claimed = true;
      return "";
    }
    if (key == "last") {
      course_.last = parse_step(value);
      if (!course_.last) return "last=: " + quoted(value) + " is not a move such as h3e3";
      return "";
    }
    if (key == "moves") {
      for (const std::string_view word : split(value, ',')) {
        const auto step = parse_step(word);
        if (!step) return "moves=: " + quoted(word) + " is not a move such as h3e3";
        moves_.push_back(*step);
      }
      return "";
    }
    return quoted(key) + " is no key; keys are checks=, moves=, last=, fouls=, claimed=";
  }

  std::string play_moves() {
    const bool claimed = course_.claimed;
    const std::array<int, 2> fouls = course_.fouls;
    course_.claimed = false;
    course_.fouls = {};
    course_.begin();
    for (const Step step : moves_) {
      const XiangqiState before(rules_, course_);
      if (before.result()) return "moves=: " + step_text(step) + " comes after the game has ended";
      if (const auto refused = before.refusal(0, encode(step))) {
        return "moves=: " + refused->message;
      }
      course_.play(rules_, step);
    }
    course_.claimed = claimed;
    course_.fouls = fouls;
    if (claimed && course_.quiet < rules_.natural_plies) {
      return "claimed=yes: only " + std::to_string(course_.quiet) + " plies without a capture";
    }
    return "";
  }

  const Rules& rules_;
  Course course_;
  int round_ = 1;
  std::vector<Step> moves_;
  std::vector<std::string_view> seen_;
};

}  // namespace

std::variant<Course, SetupError> read_setup(const Rules& rules, std::string_view text) {
  if (text.size() > 20000) return SetupError{"setup: longer than 20000 characters"};
  return Reader(rules).read(text);
}

std::string write_setup(const Course& course) {
  std::string text = board_text(course.base);
  text += course.base.to_move() == Side::red ? " w" : " b";
  text +=
      " - - " + std::to_string(course.base_quiet) + " " + std::to_string(course.base_plies / 2 + 1);
  const auto pair = [&](const char* key, const std::array<int, 2>& numbers) {
    if (numbers == std::array{0, 0}) return;
    text += key + std::to_string(numbers[0]) + "," + std::to_string(numbers[1]);
  };
  pair(" checks=", course.base_checks);
  const char* before = " moves=";
  for (const Step step : course.since) {
    text += before + step_text(step);
    before = ",";
  }
  if (course.since.empty() && course.last) text += " last=" + step_text(*course.last);
  pair(" fouls=", course.fouls);
  if (course.claimed) text += " claimed=yes";
  return text;
}

}  // namespace arena::xiangqi

#include "chinese_checkers/setup.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace arena::chinese_checkers {
namespace {

/// What has been read so far. Each reader returns the error, or "" where all is well.
class SetupReader {
 public:
  explicit SetupReader(const Rules& rules) : rules_(rules) {}

  std::variant<Snapshot, SetupError> read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t space = std::min(text.find(' '), text.size());
      const std::string_view word = text.substr(0, space);
      text.remove_prefix(std::min(space + 1, text.size()));
      if (word.empty()) continue;
      if (std::string error = read_word(word); !error.empty()) return fail(error);
    }
    if (std::string error = missing(); !error.empty()) return fail(error);
    Snapshot snapshot{position_, Progress(rules_, seat_, round_, finishers_, out_)};
    if (std::string error = judge(snapshot); !error.empty()) return fail(error);
    return snapshot;
  }

 private:
  static SetupError fail(const std::string& error) { return {"setup: " + error}; }

  static std::optional<int> number(std::string_view text, int low, int high) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    if (value < low || value > high) return std::nullopt;
    return value;
  }

  static std::string quoted(std::string_view text) {
    std::string out = "'";
    out.append(text.substr(0, 40));
    return out + (text.size() > 40 ? "…'" : "'");
  }

  static std::string range(int low, int high) {
    return std::to_string(low) + ".." + std::to_string(high);
  }

  std::string keys() const {
    std::string known;
    for (int set = 0; set < rules_.sets(); ++set) {
      known += std::string(name(rules_.plan(set).home_tip)) + "=, ";
    }
    return known + "seat=, round=, finished=, out=";
  }

  std::string read_word(std::string_view word) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view key = word.substr(0, equals);
    if (equals == word.size()) return quoted(word) + " is not key=value; keys are " + keys();
    const std::string_view value = word.substr(equals + 1);
    if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) {
      return std::string(key) + "= is given twice";
    }
    for (int set = 0; set < rules_.sets(); ++set) {
      if (name(rules_.plan(set).home_tip) != key) continue;
      seen_.emplace_back(key);
      return read_set(set, value);
    }
    std::string error;
    if (key == "seat") {
      error = read_number("seat", value, 0, rules_.seats() - 1, seat_);
    } else if (key == "round") {
      error = read_number("round", value, 1, rules_.max_turns() + 1, round_);
    } else if (key == "finished") {
      error = read_list(value, [&](std::string_view item) { return read_finisher(item); });
    } else if (key == "out") {
      error = read_list(value, [&](std::string_view item) { return read_out(item); });
    } else {
      return "unknown word " + quoted(word) + "; words are " + keys();
    }
    seen_.emplace_back(key);
    return error;
  }

  static std::string read_number(const char* key, std::string_view value, int low, int high,
                                 int& into) {
    const std::optional<int> found = number(value, low, high);
    if (!found) {
      return std::string(key) + "=" + std::string(value.substr(0, 40)) + " must be a number in " +
             range(low, high);
    }
    into = *found;
    return "";
  }

  template <typename Read>
  static std::string read_list(std::string_view value, Read&& read) {
    for (bool more = true; more;) {
      const std::size_t comma = value.find(',');
      if (std::string error = read(value.substr(0, comma)); !error.empty()) return error;
      more = comma != std::string_view::npos;
      if (more) value.remove_prefix(comma + 1);
    }
    return "";
  }

  std::string read_set(int set, std::string_view value) {
    if (value == "-") return "";
    const std::string key(name(rules_.plan(set).home_tip));
    return read_list(value, [&](std::string_view item) -> std::string {
      const Board& board = rules_.board();
      const std::optional<Hole> hole = board.find(item);
      if (!hole) {
        return key + "=: no hole " + quoted(item) +
               "; a hole is a row letter and a number from 1, such as " + board.name(0) +
               ", and no pieces are '-'";
      }
      if (!position_.empty(*hole)) return key + "=: " + board.name(*hole) + " is taken already";
      if (position_.size(set) == rules_.pegs()) {
        return key + "=: more than " + std::to_string(rules_.pegs()) + " pieces";
      }
      position_.put(rules_, set, *hole);
      return "";
    });
  }

  std::string read_finisher(std::string_view item) {
    const std::size_t at = std::min(item.find('@'), item.size());
    const std::optional<int> seat = number(item.substr(0, at), 0, rules_.seats() - 1);
    const std::optional<int> turn =
        number(item.substr(std::min(at + 1, item.size())), 1, rules_.max_turns());
    if (!seat || !turn) {
      return "finished=: " + quoted(item) + " must be seat@turn, such as 0@31, with seats " +
             range(0, rules_.seats() - 1) + " and turns " + range(1, rules_.max_turns());
    }
    const Finisher finisher{*seat, *turn};
    if (finished_.contains(finisher.seat)) {
      return "finished=: seat " + std::to_string(finisher.seat) + " is given twice";
    }
    if (!finishers_.empty() &&
        (finishers_.back().turn > finisher.turn ||
         (finishers_.back().turn == finisher.turn && finishers_.back().seat > finisher.seat))) {
      return "finished=: " + quoted(item) + " comes before the one ahead of it in order of play";
    }
    finished_.add(finisher.seat);
    finishers_.push_back(finisher);
    return "";
  }

  std::string read_out(std::string_view item) {
    if (rules_.anti_block() != AntiBlock::passive_loss) {
      return "out= needs anti_block = passive_loss";
    }
    const std::optional<int> seat = number(item, 0, rules_.seats() - 1);
    if (!seat) {
      return "out=: " + quoted(item) + " must be a seat in " + range(0, rules_.seats() - 1);
    }
    if (out_.contains(*seat)) return "out=: seat " + std::to_string(*seat) + " is given twice";
    out_.add(*seat);
    return "";
  }

  std::string missing() const {
    for (int set = 0; set < rules_.sets(); ++set) {
      const std::string_view key = name(rules_.plan(set).home_tip);
      if (std::find(seen_.begin(), seen_.end(), key) == seen_.end()) {
        return std::string(key) + "= is missing; no pieces are '" + std::string(key) + "=-'";
      }
    }
    for (const std::string_view key : {"seat", "round"}) {
      if (std::find(seen_.begin(), seen_.end(), key) == seen_.end()) {
        return std::string(key) + "= is missing; the start has seat=0 round=1";
      }
    }
    return "";
  }

  /// What can be said only of the whole.
  std::string judge(const Snapshot& snapshot) const {
    const Progress& progress = snapshot.progress;
    for (Seat seat = 0; seat < rules_.seats(); ++seat) {
      const std::string who = "seat " + std::to_string(seat);
      if (finished_.contains(seat) && out_.contains(seat)) return who + " is finished and out";
      for (const int set : rules_.sets_of(seat)) {
        const std::string key = std::string(name(rules_.plan(set).home_tip)) + "=";
        if (out_.contains(seat) && rules_.seats() > 2 && position_.size(set) > 0) {
          return who + " is out, so its pieces are off the board: " + key + "-";
        }
        const int wanted = rules_.anti_block() == AntiBlock::filled_any_own ? 1 : rules_.pegs();
        if (finished_.contains(seat) && position_.in_target(set) < wanted) {
          return who + " has finished, so " + key + " must have at least " +
                 std::to_string(wanted) + " of its pieces in the target";
        }
      }
    }
    if (out_.size() == rules_.seats()) return "out=: at least one seat stays in";
    for (const Finisher& finisher : finishers_) {
      if (finisher.turn > round_ || (finisher.turn == round_ && finisher.seat >= seat_)) {
        return "finished=: " + std::to_string(finisher.seat) + "@" + std::to_string(finisher.turn) +
               " lies ahead of seat " + std::to_string(seat_) + " in round " +
               std::to_string(round_);
      }
    }
    if (!progress.over() && !progress.may_move(rules_, seat_)) {
      std::string who;
      for (Seat seat = 0; seat < rules_.seats(); ++seat) {
        if (progress.may_move(rules_, seat)) {
          who += (who.empty() ? "" : ", ") + std::to_string(seat);
        }
      }
      return "seat=" + std::to_string(seat_) + " may not move; may move: " + who;
    }
    return "";
  }

  const Rules& rules_;
  Position position_;
  std::vector<std::string> seen_;
  Seat seat_ = 0;
  int round_ = 1;
  SeatSet finished_;
  SeatSet out_;
  std::vector<Finisher> finishers_;
};

}  // namespace

std::vector<Hole> named_order(const Board& board, Bits holes) {
  std::vector<Hole> order;
  holes.each([&](Hole hole) { order.push_back(hole); });
  // Indices run from the north row, letters from the south row.
  std::stable_sort(order.begin(), order.end(),
                   [&](Hole a, Hole b) { return board.name(a).front() < board.name(b).front(); });
  return order;
}

std::string write_setup(const Rules& rules, const Snapshot& snapshot) {
  const Board& board = rules.board();
  std::string text;
  for (int set = 0; set < rules.sets(); ++set) {
    text += name(rules.plan(set).home_tip);
    char before = '=';
    for (const Hole hole : named_order(board, snapshot.position.holes(set))) {
      text += before;
      text += board.name(hole);
      before = ',';
    }
    text += before == '=' ? "=- " : " ";
  }
  const Progress& progress = snapshot.progress;
  text += "seat=" + std::to_string(progress.seat());
  text += " round=" + std::to_string(progress.round());
  const char* before = " finished=";
  for (const Finisher& finisher : progress.finishers()) {
    text += before + std::to_string(finisher.seat) + "@" + std::to_string(finisher.turn);
    before = ",";
  }
  before = " out=";
  for (Seat seat = 0; seat < rules.seats(); ++seat) {
    if (!progress.out().contains(seat)) continue;
    text += before + std::to_string(seat);
    before = ",";
  }
  return text;
}

std::variant<Snapshot, SetupError> read_setup(const Rules& rules, std::string_view text) {
  return SetupReader(rules).read(text);
}

}  // namespace arena::chinese_checkers

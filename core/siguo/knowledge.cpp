#include "siguo/knowledge.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace arena::siguo {
namespace {

const Rules::Explained& explained(const Rules& rules, const Position& position,
                                  const Fight& fight) {
  return rules.explained(fight.result, fight.flag_taken, position.told(fight, true),
                         position.told(fight, false));
}

/// Keeps the ranks of `mask` that some rank of `others` explains.
RankSet supported(RankSet mask, const std::array<RankSet, kRanks>& partners, RankSet others) {
  RankSet kept = 0;
  for (RankSet left = mask; left != 0; left &= static_cast<RankSet>(left - 1)) {
    const auto rank = static_cast<Rank>(std::countr_zero(left));
    if ((partners[rank] & others) != 0) kept |= bit(rank);
  }
  return kept;
}

/// Drops ranks that no way of giving out an army's ranks has room for. The true ranks are one
/// such way; a unit may be of another rank if a ring of units can hand their ranks on along it,
/// so what is kept does not depend on which way one starts from.
bool count_army(const Position& position, Seat army, Beliefs& masks) {
  std::array<RankSet, kRanks> reach{};
  const int size = position.size[idx(army)];
  for (int number = 0; number < size; ++number) {
    const Unit unit = unit_of(army, number);
    reach[position.rank[unit]] |= masks[unit];
  }
  for (Rank via = 0; via < kRanks; ++via) {
    for (RankSet& from : reach) {
      if ((from & bit(via)) != 0) from |= reach[via];
    }
  }
  std::array<RankSet, kRanks> back{};  // ranks from which there is a way to this one and back
  for (Rank from = 0; from < kRanks; ++from) {
    for (Rank to = 0; to < kRanks; ++to) {
      const bool ring = (reach[from] & bit(to)) != 0 && (reach[to] & bit(from)) != 0;
      if (from == to || ring) back[from] |= bit(to);
    }
  }
  bool changed = false;
  for (int number = 0; number < size; ++number) {
    const Unit unit = unit_of(army, number);
    const RankSet kept = masks[unit] & back[position.rank[unit]];
    changed = changed || kept != masks[unit];
    masks[unit] = kept;
  }
  return changed;
}

/// Draws worlds for one viewer: ranks for all units, then exchanges within an army.
class Dealer {
 public:
  Dealer(const Rules& rules, const Position& truth, Seat viewer, Rng& rng)
      : rules_(rules),
        truth_(truth),
        masks_(beliefs(rules, truth, viewer)),
        rng_(rng),
        rank_(truth.rank) {
    for (Seat army = 0; army < rules.seats; ++army) {
      std::vector<Unit>& open = open_[idx(army)];
      for (int number = 0; number < truth.size[idx(army)]; ++number) {
        const Unit unit = unit_of(army, number);
        if (!std::has_single_bit(masks_[unit])) open.push_back(unit);
      }
      if (open.size() > 1) armies_.push_back(army);
    }
    for (std::uint8_t i = 0; i < truth.fought; ++i) {
      const Fight& fight = truth.fights[i];
      const bool settled = std::has_single_bit(masks_[fight.attacker]) &&
                           std::has_single_bit(masks_[fight.defender]);
      if (settled) continue;
      by_unit_[fight.attacker].push_back(i);
      by_unit_[fight.defender].push_back(i);
      relevant_.push_back(i);
    }
  }

  Position draw() {
    if (armies_.empty()) return truth_;
    for (int attempt = 0; attempt < kTries; ++attempt) {
      deal();
      if (!repair()) continue;
      mix();
      Position world = made();
      if (seat_can_move(world)) return world;
    }
    // Start from the truth and walk away from it.
    rank_ = truth_.rank;
    for (int attempt = 0; attempt < kTries; ++attempt) {
      mix();
      Position world = made();
      if (seat_can_move(world)) return world;
    }
    return truth_;
  }

 private:
  static constexpr int kTries = 8;
  static constexpr int kRepairs = 6000;
  static constexpr int kMixing = 12;

  bool fits(std::uint8_t i) const {
    const Fight& fight = truth_.fights[i];
    const Rules::Explained& by = explained(rules_, truth_, fight);
    return (by.defenders[rank_[fight.attacker]] & bit(rank_[fight.defender])) != 0;
  }

  /// Gives each army its ranks anew, each unit one of those it can be. Reads no hidden rank but
  /// to count the army.
  void deal() {
    for (const Seat army : armies_) {
      std::vector<Unit>& open = open_[idx(army)];
      std::array<std::uint8_t, kRanks> left{};
      for (const Unit unit : open) ++left[truth_.rank[unit]];
      pool_.clear();
      for (Rank rank = 0; rank < kRanks; ++rank) pool_.insert(pool_.end(), left[rank], rank);
      shuffle(pool_);
      order_ = open;
      shuffle(order_);
      holder_.assign(pool_.size(), kNobody);
      for (const Unit unit : order_) {
        tried_.assign(pool_.size(), false);
        find_rank(unit);
      }
      for (std::size_t i = 0; i < pool_.size(); ++i) rank_[holder_[i]] = pool_[i];
    }
  }

  /// Finds a rank for a unit, moving others on to theirs where needed. There is always a way.
  bool find_rank(Unit unit) {
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      if (tried_[i] || (masks_[unit] & bit(pool_[i])) == 0) continue;
      tried_[i] = true;
      if (holder_[i] == kNobody || find_rank(holder_[i])) {
        holder_[i] = unit;
        return true;
      }
    }
    return false;
  }

  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (auto i = static_cast<std::uint32_t>(items.size()); i > 1; --i) {
      std::swap(items[i - 1], items[rng_.below(i)]);
    }
  }

  int misfits(Unit a, Unit b) const {
    int count = 0;
    for (const std::uint8_t i : by_unit_[a]) count += fits(i) ? 0 : 1;
    for (const std::uint8_t i : by_unit_[b]) count += fits(i) ? 0 : 1;
    return count;
  }

  /// Proposes to exchange the ranks of two units of one army. Returns by how many the fights that
  /// are not explained became more, or nothing where that was refused.
  int exchange(bool strict) {
    const Seat army = armies_[rng_.below(static_cast<std::uint32_t>(armies_.size()))];
    const std::vector<Unit>& open = open_[idx(army)];
    const auto size = static_cast<std::uint32_t>(open.size());
    const Unit a = open[rng_.below(size)], b = open[rng_.below(size)];
    if (rank_[a] == rank_[b]) return 0;
    if ((masks_[a] & bit(rank_[b])) == 0 || (masks_[b] & bit(rank_[a])) == 0) return 0;
    const int before = misfits(a, b);
    std::swap(rank_[a], rank_[b]);
    const int change = misfits(a, b) - before;
    // A step to the worse now and then leads out of a corner.
    if (change > 0 && (strict || rng_.below(100) >= 3)) {
      std::swap(rank_[a], rank_[b]);
      return 0;
    }
    return change;
  }

  bool repair() {
    int wrong = 0;
    for (const std::uint8_t i : relevant_) wrong += fits(i) ? 0 : 1;
    for (int step = 0; wrong > 0 && step < kRepairs; ++step) {
      const int change = exchange(false);
      if (change != 0) {
        wrong = 0;
        for (const std::uint8_t i : relevant_) wrong += fits(i) ? 0 : 1;
      }
    }
    return wrong == 0;
  }

  void mix() {
    std::size_t open = 0;
    for (const Seat army : armies_) open += open_[idx(army)].size();
    for (std::size_t i = 0; i < kMixing * open; ++i) exchange(true);
  }

  Position made() const {
    Position world = truth_;
    world.rank = rank_;
    world.index(rules_);
    return world;
  }

  bool seat_can_move(const Position& world) const {
    if (world.placing || world.over(rules_)) return true;
    for (Seat army = 0; army < rules_.seats; ++army) {
      bool found = false;
      each_unit(army, world.mobile[world.turn][idx(army)],
                [&](Unit unit) { found = found || world.has_room(rules_, unit); });
      if (found) return true;
    }
    return false;
  }

  const Rules& rules_;
  const Position& truth_;
  Beliefs masks_;
  Rng& rng_;
  std::array<Rank, kUnits> rank_;
  std::vector<Seat> armies_;
  std::array<std::vector<Unit>, kHomes> open_;  ///< units of an army that can be two ranks or more
  std::array<std::vector<std::uint8_t>, kUnits> by_unit_;
  std::vector<std::uint8_t> relevant_;
  std::vector<Rank> pool_;
  std::vector<Unit> order_, holder_;
  std::vector<bool> tried_;
};

}  // namespace

bool knows(const Rules& rules, const Position& position, Unit unit, Seat viewer) {
  if (viewer == kSpectator) return false;
  const auto seats = position.seen[unit];
  if ((seats >> viewer & 1) != 0) return true;
  const bool allied = rules.visibility == Visibility::double_bright;
  return allied && (seats >> ((viewer + 2) % kHomes) & 1) != 0;
}

Beliefs beliefs(const Rules& rules, const Position& position, Seat viewer) {
  Beliefs masks{};
  for (Seat army = 0; army < rules.seats; ++army) {
    for (int number = 0; number < position.size[idx(army)]; ++number) {
      const Unit unit = unit_of(army, number);
      masks[unit] =
          knows(rules, position, unit, viewer) ? bit(position.rank[unit]) : position.could[unit];
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint8_t i = 0; i < position.fought; ++i) {
      const Fight& fight = position.fights[i];
      const Rules::Explained& by = explained(rules, position, fight);
      RankSet& a = masks[fight.attacker];
      RankSet& d = masks[fight.defender];
      const RankSet kept_a = supported(a, by.defenders, d);
      const RankSet kept_d = supported(d, by.attackers, kept_a);
      changed = changed || kept_a != a || kept_d != d;
      a = kept_a;
      d = kept_d;
    }
    for (Seat army = 0; army < rules.seats; ++army) {
      if (count_army(position, army, masks)) changed = true;
    }
  }
  return masks;
}

Position another_world(const Rules& rules, const Position& position, Seat viewer, Rng& rng) {
  if (position.placing) {
    Position world = position;
    for (Seat seat = 0; seat < rules.seats; ++seat) {
      if (seat != viewer && world.placed.contains(seat))
        world.place(rules, seat, random_layout(rng));
    }
    return world;
  }
  return Dealer(rules, position, viewer, rng).draw();
}

}  // namespace arena::siguo

"""Settings of Tuolaji. docs/games/tuolaji.md gives every rule in full."""

from __future__ import annotations

import re
from typing import ClassVar, Self

from pydantic import Field, model_validator

from arena.games.contract import Rules
from arena.games.tuolaji.words import (
    Aa22,
    BidRank,
    ClockEnd,
    FirstDealer,
    FirstDraw,
    FollowOrder,
    HandDealer,
    Honours,
    Multiplier,
    NoTrump,
    OpenCall,
    Overcall,
    PermanentTrump,
    Pot,
    Rebel,
    Reinforce,
    Review,
    RuffOrder,
    Throw,
    Token,
    Unit,
    cross_pairs,
    follow_lists,
    ladder,
    nobody,
)

_BAND = re.compile(r"-?[0-9]+:(?:C|[DA][0-9]{1,2})")


class TuolajiRules(Rules):
    """One set of rules of Tuolaji."""

    family_id: ClassVar[str] = "tuolaji"

    unit: Unit = Field(
        Unit.HAND,
        description="What one game is: one deal (hand), or deals until a side passes its target (match).",
        json_schema_extra={"zh": "一局的单位：一副牌或整场比赛"},
    )

    hand_dealer: HandDealer = Field(
        HandDealer.CONTESTED,
        description="unit hand: the opening hand, whose call makes the dealer, or a later hand with a drawn dealer.",
        json_schema_extra={"zh": "单局的庄家：首局抢庄，或抽签定庄"},
    )

    hand_levels: str = Field(
        "start",
        description="unit hand: levels of side 0 and side 1, as in 7:5; start for the foot of the ladder.",
        json_schema_extra={"zh": "单局双方的级数"},
    )

    max_hands: int = Field(
        60,
        ge=1,
        le=1000,
        description="Hands after which the clock of a match is up.",
        json_schema_extra={"zh": "整场局数上限（代替计时）"},
    )

    redeal_limit: int = Field(
        10,
        ge=0,
        le=100,
        description="Redeals of one hand after which the trump suit is drawn by lot.",
        json_schema_extra={"zh": "同一局重新发牌的上限"},
    )

    decks: int = Field(
        2,
        ge=1,
        le=6,
        description="Packs of 54 cards shuffled together.",
        json_schema_extra={"zh": "几副牌"},
    )

    players: int = Field(
        4,
        ge=4,
        le=6,
        description="Seats, 4 or 6; alternate seats play together.",
        json_schema_extra={"zh": "人数：4 或 6"},
    )

    kitty: int | None = Field(
        None,
        ge=0,
        le=60,
        description="Cards left over for the dealer; null: 8 for 4 players and an even number of packs, else 6.",
        json_schema_extra={"zh": "底牌张数"},
    )

    first_draw: FirstDraw = Field(
        FirstDraw.COUNT_FROM_TURNED,
        description="Who draws first in an opening hand: by lot, by high card, or counted from a turned card.",
        json_schema_extra={"zh": "首局谁先摸牌"},
    )

    levels: str = Field(
        "2-A",
        description="The ladder from the start up: ranks and ranges joined by +, JOKER last if at all.",
        json_schema_extra={"zh": "级牌的阶梯"},
    )

    finish: str = Field(
        "past:A",
        description="reach:R, past:R, or clock (the ladder wraps and laps count).",
        json_schema_extra={"zh": "胜出条件：打到、打过，或计时"},
    )

    must_play: str = Field(
        "none",
        description="Levels at which a gain stops and which only a win as dealer leaves.",
        json_schema_extra={"zh": "必打的级"},
    )

    gain_cap: int | None = Field(
        None,
        ge=1,
        le=20,
        description="Most levels that one hand gives; null for no limit.",
        json_schema_extra={"zh": "一局最多升几级"},
    )

    clock_minutes: int | None = Field(
        None,
        ge=1,
        le=1000,
        description="The document's clock, for people; the rules count max_hands.",
        json_schema_extra={"zh": "限时（分钟）"},
    )

    clock_at_end: ClockEnd = Field(
        ClockEnd.FINISH_IF_DRAWN,
        description="What may be finished when the clock is up; plus_one_hand adds a hand to max_hands.",
        json_schema_extra={"zh": "时间到时如何收尾"},
    )

    clock_tie: str = Field(
        "dealer_side",
        description="Equal levels at the end: dealer_side, playoff_gain, playoff_at:R, lots, external or draw.",
        json_schema_extra={"zh": "到时平级如何定胜负"},
    )

    permanent_trump: PermanentTrump = Field(
        PermanentTrump.NONE,
        description="Whether 2s are always trump, below the level cards and above the trump ace.",
        json_schema_extra={"zh": "2 是否常主"},
    )

    bid_hidden: bool = Field(
        False,
        description="Calls lie face down until bidding closes.",
        json_schema_extra={"zh": "暗叫"},
    )

    bid_rank: BidRank = Field(
        BidRank.LEVEL,
        description="The rank that calls a suit.",
        json_schema_extra={"zh": "用级牌叫，或用 2 叫"},
    )

    bid_min_cards: int = Field(
        1,
        ge=1,
        le=6,
        description="Fewest cards of that rank in a call.",
        json_schema_extra={"zh": "叫牌最少张数"},
    )

    bid_token: Token = Field(
        Token.NONE,
        description="A card that every call of an opening hand carries besides.",
        json_schema_extra={"zh": "首局叫牌必须附带的牌"},
    )

    bid_token_exact: bool = Field(
        False,
        description="Exactly one token, rather than at least one.",
        json_schema_extra={"zh": "附带牌只许一张"},
    )

    bid_token_open: bool = Field(
        False,
        description="Under hidden calls the token itself lies face up.",
        json_schema_extra={"zh": "附带牌明示"},
    )

    bid_overcall: Overcall = Field(
        Overcall.MORE,
        description="Over-calls need more cards, or as many of a higher suit (from two on).",
        json_schema_extra={"zh": "反主：张数多，或同张数花色大"},
    )

    bid_no_trump: NoTrump = Field(
        NoTrump.OVERCALL,
        description="Whether two or more equal jokers call no-trump: never, over a call, or also first.",
        json_schema_extra={"zh": "王反无主"},
    )

    bid_self_overcall: bool = Field(
        False,
        description="Whether the owner of the standing call may change its suit.",
        json_schema_extra={"zh": "可否自反"},
    )

    bid_reinforce: Reinforce = Field(
        Reinforce.OWN,
        description="Who may add equal cards to the standing call: nobody, its owner, or his side.",
        json_schema_extra={"zh": "加固（自保）"},
    )

    bid_first_dealer: FirstDealer = Field(
        FirstDealer.FINAL_CALLER,
        description="Whose call makes the dealer of an opening hand.",
        json_schema_extra={"zh": "首局庄家：先亮者或最后反主者"},
    )

    bid_nobody_first: str = Field(
        "redeal",
        description="Nobody called in an opening hand: redeal, flip:K, flip_majority, no_trump or lots.",
        json_schema_extra={"zh": "首局无人叫主"},
    )

    bid_nobody_later: str | None = Field(
        None,
        description="The same in later hands, or choke; null: flip:1, redeal without a kitty.",
        json_schema_extra={"zh": "以后各局无人叫主"},
    )

    bid_rekitty: bool = Field(
        False,
        description="After a burial the others may over-call and bury anew.",
        json_schema_extra={"zh": "反底：扣底后可再反主换底"},
    )

    bid_rebel: Rebel = Field(
        Rebel.NONE,
        description="Who may ask for a new deal after drawing.",
        json_schema_extra={"zh": "谁可造反"},
    )

    bid_rebel_points: int = Field(
        15,
        ge=0,
        le=100,
        description="Most points in the hand of a rebel.",
        json_schema_extra={"zh": "造反的分数上限"},
    )

    shape_bridge_level: bool = Field(
        True,
        description="Ranks on both sides of the level rank are neighbours.",
        json_schema_extra={"zh": "级牌两侧的牌可连（隔拖）"},
    )

    shape_honours: Honours = Field(
        Honours.LADDER,
        description="Links at the top of trump: none, the jokers, or A, level cards and jokers.",
        json_schema_extra={"zh": "主牌高端的连对"},
    )

    shape_aa22: Aa22 = Field(
        Aa22.OFF,
        description="Whether trump aces and permanent twos link, and as the lowest or a high tractor.",
        json_schema_extra={"zh": "AA22 是否拖拉机及其大小"},
    )

    beat_cross_shape: str = Field(
        "off",
        description="What beats another shape of as many cards: off, wider, or pairs as in 4x1>2x2,3x2>2x3.",
        json_schema_extra={"zh": "不同牌型可否压过"},
    )

    beat_ruff_order: RuffOrder = Field(
        RuffOrder.CLASS_FIRST,
        description="A side bomb against a trump tractor: the bomb stands, or the tractor wins.",
        json_schema_extra={"zh": "副牌炸弹与主牌拖拉机孰大"},
    )

    throw: Throw = Field(
        Throw.FORCED_BACK,
        description="Leads of several units: forbidden, only unbeatable ones, or cut down to a beatable part.",
        json_schema_extra={"zh": "甩牌"},
    )

    follow_order: FollowOrder = Field(
        FollowOrder.WIDTH_FIRST,
        description="Default list of what a follower owes: wide groups or tractors first.",
        json_schema_extra={"zh": "跟牌次序：先宽度或先连对"},
    )

    follow_tables: str = Field(
        "none",
        description="Explicit lists by led unit, as in 4x1=4x1>3x1>any.",
        json_schema_extra={"zh": "指定牌型的跟牌次序表"},
    )

    follow_split: bool = Field(
        True,
        description="Wider groups count as narrower ones and must be broken.",
        json_schema_extra={"zh": "三张四张须拆开跟牌"},
    )

    last_pot: Pot | None = Field(
        None,
        description="What the last trick multiplies: kitty points, its own points, nothing; null: the kitty if any.",
        json_schema_extra={"zh": "末墩抠底的对象"},
    )

    last_multiplier: Multiplier | None = Field(
        None,
        description="By the n cards of the winner's largest unit: n, max(2,n) or 2*2^pairs; null by packs.",
        json_schema_extra={"zh": "抠底倍数"},
    )

    last_trump_only: bool = Field(
        False,
        description="The attackers must win the last trick with trump.",
        json_schema_extra={"zh": "须用主牌抠底"},
    )

    last_both_sides: bool = Field(
        False,
        description="The dealer's side subtracts when it wins the last trick with two cards or more.",
        json_schema_extra={"zh": "庄家方也可扣分"},
    )

    score_bands: str = Field(
        "standard",
        description="Attackers' points to result, as in 0:D3,5:D2,40:D1,80:C,120:A1/40.",
        json_schema_extra={"zh": "得分与升级表"},
    )

    penalty_points: int = Field(
        0,
        ge=0,
        le=100,
        description="Fine for a wrong card, points a card; for the referee.",
        json_schema_extra={"zh": "出错牌每张罚分"},
    )

    penalty_dead: bool = Field(
        False,
        description="The card put in for a wrong one cannot win; for the referee.",
        json_schema_extra={"zh": "换出的牌作废"},
    )

    penalty_levels: int = Field(
        0,
        ge=0,
        le=20,
        description="Levels the other side gains for a wrong card; for the referee.",
        json_schema_extra={"zh": "出错牌对方升级数"},
    )

    penalty_revoke_levels: int = Field(
        0,
        ge=0,
        le=20,
        description="Levels the other side gains for a revoke; for the referee.",
        json_schema_extra={"zh": "藏牌对方升级数"},
    )

    penalty_bad_bury: str = Field(
        "none",
        description="A wrong burial: none, step_down, points:N or levels:N; for the referee.",
        json_schema_extra={"zh": "错底的处罚"},
    )

    penalty_late: str = Field(
        "none",
        description="Fines by minutes of lateness, as in 5:warn,10:-20; for the referee.",
        json_schema_extra={"zh": "迟到的处罚"},
    )

    penalty_open_call: OpenCall = Field(
        OpenCall.NONE,
        description="An open call under hidden calls; for the referee.",
        json_schema_extra={"zh": "明叫的处罚"},
    )

    review_last_trick: Review = Field(
        Review.ANY,
        description="Who is shown the last trick again.",
        json_schema_extra={"zh": "谁可看上一墩"},
    )

    review_kitty: bool = Field(
        True,
        description="Whether the burier may look at the kitty again.",
        json_schema_extra={"zh": "可否再看底牌"},
    )

    review_points: bool = Field(
        True,
        description="Whether points taken are shown.",
        json_schema_extra={"zh": "可否查看已得分"},
    )

    event: str = Field(
        "single",
        description="The document's tournament, for people.",
        json_schema_extra={"zh": "赛制"},
    )

    @property
    def kitty_size(self) -> int:
        """Cards of the kitty, null resolved."""
        if self.kitty is not None:
            return self.kitty
        return 8 if self.players == 4 and self.decks % 2 == 0 else 6

    @property
    def hand_size(self) -> int:
        """Cards of a hand."""
        return (54 * self.decks - self.kitty_size) // self.players

    def _named(self, setting: str, check: str) -> None:
        ranks = ladder(self.levels)
        if check not in ranks:
            raise ValueError(f"{setting}: {check!r} is no rank of levels {self.levels}")

    @model_validator(mode="after")
    def _deal(self) -> Self:
        if self.players == 5:
            raise ValueError("players: 5; there are two sides of two or three")
        if (54 * self.decks - self.kitty_size) % self.players:
            raise ValueError(
                f"kitty: {self.kitty_size} of {54 * self.decks} cards leaves no equal hands for "
                f"{self.players} players"
            )
        if self.kitty_size > self.hand_size:
            raise ValueError(f"kitty: {self.kitty_size} is larger than a hand of {self.hand_size}")
        return self

    @model_validator(mode="after")
    def _ladder(self) -> Self:
        try:
            ladder(self.levels)
        except ValueError as error:
            raise ValueError(f"levels: {error}") from None
        kind, colon, rank = self.finish.partition(":")
        if self.finish != "clock":
            if kind not in ("reach", "past") or not colon:
                raise ValueError(f"finish: {self.finish!r}; it is reach:RANK, past:RANK or clock")
            self._named("finish", rank)
        if self.must_play != "none":
            for word in self.must_play.split("+"):
                self._named("must_play", word)
        if self.hand_levels != "start":
            pair = self.hand_levels.split(":")
            if len(pair) != 2:
                raise ValueError(f"hand_levels: {self.hand_levels!r}; two ranks, as in 7:5")
            for word in pair:
                self._named("hand_levels", word)
        tie, colon, rank = self.clock_tie.partition(":")
        if tie == "playoff_at" and colon:
            self._named("clock_tie", rank)
        elif self.clock_tie not in ("dealer_side", "playoff_gain", "lots", "external", "draw"):
            raise ValueError(
                f"clock_tie: {self.clock_tie!r}; it is dealer_side, playoff_gain, playoff_at:RANK, "
                "lots, external or draw"
            )
        return self

    @model_validator(mode="after")
    def _bidding(self) -> Self:
        for setting in ("bid_nobody_first", "bid_nobody_later"):
            text = getattr(self, setting)
            if text is None:
                continue
            try:
                word = nobody(text)
            except ValueError as error:
                raise ValueError(f"{setting}: {error}") from None
            if word == "flip" and int(text.partition(":")[2]) > self.kitty_size:
                raise ValueError(f"{setting}: {text}, but the kitty has {self.kitty_size} cards")
            if word == "flip_majority" and self.kitty_size == 0:
                raise ValueError(f"{setting}: {text}, but there is no kitty")
            if word == "choke" and setting == "bid_nobody_first":
                raise ValueError("bid_nobody_first: choke is for later hands")
        if self.bid_min_cards > self.decks:
            raise ValueError(f"bid_min_cards: {self.bid_min_cards} with {self.decks} packs")
        if self.bid_hidden and self.bid_overcall is Overcall.MORE_OR_SUIT:
            raise ValueError("bid_overcall: more_or_suit needs bid_hidden false")
        if self.bid_hidden and self.bid_no_trump is not NoTrump.OFF:
            raise ValueError("bid_no_trump: must be off where bid_hidden is true")
        if self.bid_rekitty and (self.bid_hidden or self.kitty_size == 0):
            raise ValueError("bid_rekitty: needs a kitty and bid_hidden false")
        return self

    @model_validator(mode="after")
    def _play(self) -> Self:
        if self.shape_aa22 is not Aa22.OFF and self.permanent_trump is PermanentTrump.NONE:
            raise ValueError("shape_aa22: needs permanent_trump 2")
        try:
            lists = follow_lists(self.follow_tables)
        except ValueError as error:
            raise ValueError(f"follow_tables: {error}") from None
        for led in lists:
            if int(led[0]) > self.decks:
                raise ValueError(f"follow_tables: {led} cannot be led with {self.decks} packs")
        if self.beat_cross_shape not in ("off", "wider"):
            try:
                cross_pairs(self.beat_cross_shape)
            except ValueError as error:
                raise ValueError(f"beat_cross_shape: {error}") from None
        if self.last_pot is Pot.KITTY and self.kitty_size == 0:
            raise ValueError("last_pot: kitty, but there is no kitty")
        self._bands()
        return self

    def _bands(self) -> None:
        if self.score_bands == "standard":
            return
        body, slash, step = self.score_bands.partition("/")
        bands = body.split(",")
        if (slash and not (step.isdecimal() and int(step) > 0)) or not all(
            _BAND.fullmatch(band) for band in bands
        ):
            raise ValueError(
                f"score_bands: {self.score_bands!r}; it is FROM:RESULT, … and /STEP or nothing, "
                "RESULT being Dn, C or An"
            )
        starts = [int(band.partition(":")[0]) for band in bands]
        takes = [band.partition(":")[2][0] != "D" for band in bands]
        if starts != sorted(set(starts)) or takes != sorted(takes):
            raise ValueError("score_bands: points must rise, and C and A come after D")

    def seat_count(self) -> int:
        """One seat a player."""
        return self.players

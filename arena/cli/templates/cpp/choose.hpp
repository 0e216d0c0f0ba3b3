// What this bot is, and how it chooses. The rest is in bot.cpp.
#pragma once

#include "arena/v1/bot.pb.h"

// The answer to Describe; proto/arena/v1/bot.proto has all of its fields.
arena::v1::DescribeResponse description();

// Reads weights and tables: the arena waits, and is told so.
void load();

// The move for one turn. `turn` and `rules` are the messages of the protocol: turn.gomoku() and
// its like are what this seat sees, turn.legal_moves() what it may play. Keep no books on games:
// a turn holds all there is to know. An exception loses this game only.
arena::v1::Decision choose(const arena::v1::Turn& turn, const arena::v1::Rules& rules);

// What this bot is, and how it chooses. The rest is in bot.go and connect.go.

package main

import (
	"fmt"

	pb "bot/arena/v1"
)

// The answer to Describe; proto/arena/v1/bot.proto has all of its fields.
var description = &pb.DescribeResponse{
	Name:                      "{{name}}",
	Version:                   "1", // a new build is a new version
	Protocols:                 []string{"arena.v1"},
	Games:                     []*pb.GameSupport{{Rulebooks: "*"}}, // such as "gomoku/*", "xiangqi/cxa"
	WantsLegalMoves:           true,
	ObservationForm:           pb.ObservationForm_OBSERVATION_FORM_TYPED,
	AnswersPingsWhileThinking: true,
}

// Reads weights and tables: the arena waits, and is told so.
func load() error { return nil }

// The move for one turn. turn and rules are the messages of the protocol: turn.GetGomoku() and its
// like are what this seat sees, turn.LegalMoves what it may play. Keep no books on games: a turn
// holds all there is to know. Several games are thought about at the same time, one for each
// processor. An error loses this game only, and so does a panic.
func choose(turn *pb.Turn, rules *pb.Rules) (*pb.Decision, error) {
	legal := turn.LegalMoves.Moves
	// The same turn gets the same answer, so that games can be played again.
	chance := scramble(turn.Seed + uint64(turn.Ply))
	return &pb.Decision{
		Move:    legal[chance%uint64(len(legal))],
		Comment: fmt.Sprintf("one of %d", len(legal)),
	}, nil
}

// One step of SplitMix64 (Steele, Lea and Flood): neighbouring seeds give unlike numbers.
func scramble(seed uint64) uint64 {
	x := seed + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

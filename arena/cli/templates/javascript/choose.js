// What this bot is, and how it chooses. The rest is in bot.js.

// The answer to Describe; proto/arena/v1/bot.proto has all of its fields.
export const description = {
  name: "{{name}}",
  version: "1", // a new build is a new version
  protocols: ["arena.v1"],
  games: [{ rulebooks: "*" }], // such as "gomoku/*", "xiangqi/cxa"
  wants_legal_moves: true,
  observation_form: "OBSERVATION_FORM_TEXT",
};

// Reads weights and tables: the arena waits, and is told so.
export async function load() {}

// The move for one turn: a text, or the fields of a Decision. May be async.
//
// `turn` and `rules` are the messages of the protocol: JSON.parse(turn.observation) is what this
// seat sees, turn.legal_moves.moves what it may play. Keep no books on games: a turn holds all
// there is to know.
export function choose(turn, rules) {
  const legal = turn.legal_moves.moves;
  // The same turn gets the same answer, so that games can be played again. Numbers of 64 bits
  // come as texts.
  const chance = scramble(BigInt(turn.seed) + BigInt(turn.ply));
  return { move: legal[Number(chance % BigInt(legal.length))], comment: `one of ${legal.length}` };
}

// One step of SplitMix64 (Steele, Lea and Flood): neighbouring seeds give unlike numbers.
function scramble(seed) {
  let x = BigInt.asUintN(64, seed + 0x9e3779b97f4a7c15n);
  x = BigInt.asUintN(64, (x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n);
  x = BigInt.asUintN(64, (x ^ (x >> 27n)) * 0x94d049bb133111ebn);
  return x ^ (x >> 31n);
}

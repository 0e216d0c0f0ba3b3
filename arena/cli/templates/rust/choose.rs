// What this bot is, and how it chooses. The rest is in main.rs.

use crate::arena::{Decision, DescribeResponse, GameSupport, ObservationForm, Rules, Turn};

/// The answer to Describe; proto/arena/v1/bot.proto has all of its fields.
pub fn description() -> DescribeResponse {
    DescribeResponse {
        name: "{{name}}".into(),
        version: "1".into(), // a new build is a new version
        protocols: vec!["arena.v1".into()],
        games: vec![GameSupport {
            rulebooks: "*".into(), // such as "gomoku/*", "xiangqi/cxa"
            limits: vec![],
        }],
        wants_legal_moves: true,
        observation_form: ObservationForm::Typed.into(),
        answers_pings_while_thinking: true,
        ..Default::default()
    }
}

/// Reads weights and tables: the arena waits, and is told so.
pub fn load() -> Result<(), String> {
    Ok(())
}

/// The move for one turn. `turn` and `rules` are the messages of the protocol:
/// `turn.typed_observation` is what this seat sees, `turn.legal_moves` what it may play. Keep no
/// books on games: a turn holds all there is to know. Several games are thought about at the same
/// time, one for each processor. An error loses this game only, and so does a panic.
pub fn choose(turn: &Turn, _rules: &Rules) -> Result<Decision, String> {
    let legal = &turn
        .legal_moves
        .as_ref()
        .ok_or("no legal moves were sent")?
        .moves;
    // The same turn gets the same answer, so that games can be played again.
    let chance = scramble(turn.seed.wrapping_add(turn.ply.into()));
    Ok(Decision {
        r#move: legal[(chance % legal.len() as u64) as usize].clone(),
        comment: format!("one of {}", legal.len()),
        ..Default::default()
    })
}

/// One step of SplitMix64 (Steele, Lea and Flood): neighbouring seeds give unlike numbers.
fn scramble(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

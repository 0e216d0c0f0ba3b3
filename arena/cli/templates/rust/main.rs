// Serves the bot protocol (proto/arena/v1/bot.proto) for the bot of choose.rs.

mod choose;
mod grpc;

/// The messages of the protocol.
#[allow(clippy::all)]
pub mod arena {
    include!(concat!(env!("OUT_DIR"), "/arena.v1.rs"));
}

use std::any::Any;
use std::env;
use std::error::Error;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::exit;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use bytes::Bytes;
use h2::server::SendResponse;
use h2::RecvStream;
use http::Request;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::signal::unix::{signal, SignalKind};
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use arena::{Decision, GameReady, Loading, PlayRequest, PlayResponse, Pong, Ready, Rules, Turn};
use grpc::{Inbox, Outbox, Status};

const LOADING: Duration = Duration::from_secs(1);
const STOPPING: Duration = Duration::from_millis(500);
const MAX_FAILURE: usize = 2000;
const WINDOW: u32 = 1 << 20;

/// What became of `load`: none while it goes on.
type Loaded = watch::Receiver<Option<Result<(), String>>>;

/// The answer of the standard health service.
#[derive(Clone, PartialEq, prost::Message)]
struct Health {
    #[prost(int32, tag = "1")]
    status: i32,
}
const SERVING: i32 = 1;

async fn connection(socket: TcpStream, loaded: Loaded) -> Result<(), h2::Error> {
    let _ = socket.set_nodelay(true);
    let mut builder = h2::server::Builder::new();
    builder
        .initial_window_size(WINDOW)
        .initial_connection_window_size(WINDOW);
    let mut connection = builder.handshake(socket).await?;
    while let Some(accepted) = connection.accept().await {
        let (request, respond) = accepted?;
        tokio::spawn(call(request, respond, loaded.clone()));
    }
    Ok(())
}

async fn call(request: Request<RecvStream>, respond: SendResponse<Bytes>, loaded: Loaded) {
    let path = request.uri().path().to_owned();
    let inbox = Inbox::new(request.into_body());
    let mut outbox = match Outbox::new(respond) {
        Ok(outbox) => outbox,
        Err(_) => return, // nobody listens any more
    };
    let end = match path.as_str() {
        "/arena.v1.BotService/Describe" => {
            outbox.say(&choose::description());
            Ok(())
        }
        "/arena.v1.BotService/Play" => play(inbox, &mut outbox, loaded).await,
        "/grpc.health.v1.Health/Check" => {
            outbox.say(&Health { status: SERVING });
            Ok(())
        }
        _ => Err(Status(grpc::UNIMPLEMENTED, format!("there is no {path}"))),
    };
    outbox.end(end);
}

/// One stream of the arena: all games go over it.
async fn play(mut inbox: Inbox, outbox: &mut Outbox, mut loaded: Loaded) -> Result<(), Status> {
    let become_of = loop {
        if let Some(end) = loaded.borrow_and_update().clone() {
            break end;
        }
        tokio::select! {
            _ = loaded.changed() => (),
            () = sleep(LOADING) => {
                let note = "load() has not returned".into();
                outbox.say(&PlayResponse { loading: Some(Loading { note }), ..Default::default() });
            }
        }
    };
    become_of.map_err(|error| Status(grpc::UNKNOWN, error))?;
    outbox.say(&PlayResponse {
        ready: Some(Ready {}),
        ..Default::default()
    });

    let (answers, mut thought) = mpsc::unbounded_channel();
    loop {
        tokio::select! {
            request = inbox.next::<PlayRequest>() => {
                let request = match request? {
                    Some(request) => request,
                    None => break, // the arena has said all
                };
                heed(&request, outbox);
                let rules = Arc::new(request.rules);
                for turn in request.turns {
                    let (answers, rules) = (answers.clone(), rules.clone());
                    spawn_blocking(move || {
                        if !answers.is_closed() { // somebody waits for it
                            let _ = answers.send(decide(&turn, &rules));
                        }
                    });
                }
            }
            Some(decision) = thought.recv() => answer(decision, &mut thought, outbox),
        }
    }
    // What it has asked is answered.
    drop(answers);
    while let Some(decision) = thought.recv().await {
        answer(decision, &mut thought, outbox);
    }
    Ok(())
}

/// All of a message but its turns.
fn heed(request: &PlayRequest, outbox: &mut Outbox) {
    if let Some(ping) = &request.ping {
        let pong = Some(Pong {
            number: ping.number,
        });
        outbox.say(&PlayResponse {
            pong,
            ..Default::default()
        });
    }
    for game in &request.new_games {
        // only bots that set wants_new_game are told
        let games_ready = vec![GameReady {
            game: game.game.clone(),
            seat: game.seat,
        }];
        outbox.say(&PlayResponse {
            games_ready,
            ..Default::default()
        });
    }
    for refusal in &request.refusals {
        // An answer to a game that has ended meanwhile is nobody's mistake.
        if refusal.reason() != arena::RefusalReason::GameOver {
            eprintln!("refused: {}", refusal.message);
        }
    }
}

/// One message for all answers that are there.
fn answer(first: Decision, thought: &mut mpsc::UnboundedReceiver<Decision>, outbox: &mut Outbox) {
    let mut decisions = vec![first];
    while let Ok(decision) = thought.try_recv() {
        decisions.push(decision);
    }
    outbox.say(&PlayResponse {
        decisions,
        ..Default::default()
    });
}

/// The answer to one turn, with its game, revision and seat. What goes wrong loses this game only.
fn decide(turn: &Turn, rules: &[Rules]) -> Decision {
    let began = Instant::now();
    let chosen = catch_unwind(AssertUnwindSafe(|| {
        choose::choose(turn, &rules[turn.rules as usize])
    }));
    let chosen = chosen.unwrap_or_else(|panic| Err(said(panic.as_ref())));
    let mut decision = chosen.unwrap_or_else(|error| Decision {
        failure: error.chars().take(MAX_FAILURE).collect(),
        ..Default::default()
    });
    decision.game = turn.game.clone();
    decision.revision = turn.revision;
    decision.seat = turn.seat;
    decision.thought_ms = began.elapsed().as_millis() as u32;
    decision
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without words".into())
}

async fn serve(address: String) -> Result<(), Box<dyn Error>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let (tell, loaded) = watch::channel(None);
    spawn_blocking(move || tell.send(Some(choose::load())));
    let listener = TcpListener::bind(&address).await?;
    println!("ARENA_BOT_PORT={}", listener.local_addr()?.port());
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                tokio::spawn(connection(accepted?.0, loaded.clone()));
            }
            _ = interrupt.recv() => break,
            _ = terminate.recv() => break,
        }
    }
    sleep(STOPPING).await; // what is being thought about is finished, but not for longer than that
    Ok(())
}

fn main() {
    let from_environment = |name, otherwise: &str| env::var(name).unwrap_or(otherwise.into());
    let mut host = from_environment("ARENA_BOT_HOST", "127.0.0.1");
    let mut port = from_environment("ARENA_BOT_PORT", "0");
    let mut words = env::args().skip(1);
    while let Some(option) = words.next() {
        match (option.as_str(), words.next()) {
            ("--host", Some(value)) => host = value,
            ("--port", Some(value)) => port = value,
            _ => {
                eprintln!("{option}: there are --host HOST and --port PORT");
                exit(2);
            }
        }
    }
    let processors = available_parallelism().map_or(1, usize::from);
    let mut builder = Builder::new_multi_thread();
    // So many moves are thought about at the same time.
    let builder = builder
        .worker_threads(1)
        .max_blocking_threads(processors)
        .enable_all();
    let runtime = builder.build().expect("the system has threads to give");
    let end = runtime.block_on(serve(format!("{host}:{port}")));
    runtime.shutdown_background();
    if let Err(error) = end {
        eprintln!("cannot serve on {host}:{port}: {error}");
        exit(1);
    }
}

// Serves the bot protocol (proto/arena/v1/bot.proto) for the bot of choose.js.

import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";
import { HealthImplementation } from "grpc-health-check";
import { choose, description, load } from "./choose.js";

const PROTO = path.join(path.dirname(fileURLToPath(import.meta.url)), "proto");
// One message holds many turns: more than the 4 MiB that the library takes of its own accord.
const MAX_MESSAGE = 64 * 1024 * 1024;
const LOADING_MS = 1000;
// Answers wait for company at most this long: one message for many quick ones.
const HOLD_MS = 2;
const STOP_MS = 500;

const { arena } = grpc.loadPackageDefinition(
  protoLoader.loadSync("arena/v1/bot.proto", {
    includeDirs: [PROTO],
    keepCase: true,
    longs: String, // 64 bits do not fit a number
    enums: String,
    defaults: true,
    oneofs: true,
  }),
);

let loaded = false;
const loading = Promise.resolve()
  .then(load)
  .then(() => {
    loaded = true;
  });

// One stream of the arena: all games go over it.
class Stream {
  constructor(call) {
    this.call = call;
    this.open = true;
    this.queue = []; // messages with turns that wait to be thought about
    this.thinking = false;
    this.ended = false; // the arena has said all
    for (const event of ["cancelled", "error", "close"]) {
      call.on(event, () => {
        this.open = false;
      });
    }
    call.on("data", (request) => this.heed(request));
    call.on("end", () => {
      this.ended = true;
      this.finish();
    });
    this.getReady();
  }

  async getReady() {
    while (!loaded) {
      const waited = new Promise((resolve) => setTimeout(resolve, LOADING_MS));
      try {
        await Promise.race([loading, waited]);
      } catch (error) {
        this.call.destroy({ code: grpc.status.UNKNOWN, details: String(error.stack) });
        return;
      }
      if (!loaded) this.send({ loading: { note: "load() has not returned" } });
    }
    this.send({ ready: {} });
  }

  send(response) {
    if (this.open) this.call.write(response);
  }

  heed(request) {
    if (request.ping) this.send({ pong: { number: request.ping.number } });
    // Only bots that set wants_new_game are told.
    for (const { game, seat } of request.new_games) this.send({ games_ready: [{ game, seat }] });
    for (const refusal of request.refusals) {
      // An answer to a game that has ended meanwhile is nobody's mistake.
      if (refusal.reason !== "REFUSAL_REASON_GAME_OVER") console.error("refused:", refusal.message);
    }
    if (request.turns.length) {
      this.queue.push(request);
      this.think();
    }
  }

  async think() {
    if (this.thinking) return;
    this.thinking = true;
    while (this.queue.length) {
      const { turns, rules } = this.queue.shift();
      let ready = [];
      let since = performance.now();
      for (const turn of turns) {
        ready.push(await decide(turn, rules[turn.rules]));
        if (performance.now() - since > HOLD_MS) {
          this.send({ decisions: ready });
          ready = [];
          // Lets pings and new messages in between two moves.
          await new Promise(setImmediate);
          since = performance.now();
        }
      }
      if (ready.length) this.send({ decisions: ready });
    }
    this.thinking = false;
    this.finish();
  }

  finish() {
    if (this.ended && !this.thinking && this.open) this.call.end();
  }
}

// The answer to one turn, with its game, revision and seat. What goes wrong loses this game only.
async function decide(turn, rules) {
  const key = { game: turn.game, revision: turn.revision, seat: turn.seat };
  const began = performance.now();
  try {
    const choice = await choose(turn, rules);
    const said = typeof choice === "string" ? { move: choice } : choice;
    return { ...said, ...key, thought_ms: Math.round(performance.now() - began) };
  } catch (error) {
    return { ...key, failure: String(error.stack ?? error).slice(0, 2000) };
  }
}

const { values } = parseArgs({
  options: {
    host: { type: "string", default: process.env.ARENA_BOT_HOST ?? "127.0.0.1" },
    port: { type: "string", default: process.env.ARENA_BOT_PORT ?? "0" },
  },
});
const server = new grpc.Server({
  "grpc.max_receive_message_length": MAX_MESSAGE,
  "grpc.max_send_message_length": MAX_MESSAGE,
  "grpc.so_reuseport": 0, // a port that is taken is an error
});
server.addService(arena.v1.BotService.service, {
  Describe: (call, answer) => answer(null, description),
  Play: (call) => new Stream(call),
});
new HealthImplementation({ "": "SERVING" }).addToServer(server);

const address = `${values.host}:${values.port}`;
server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) {
    console.error(`cannot serve on ${address}: ${error.message}`);
    process.exit(1);
  }
  console.log(`ARENA_BOT_PORT=${port}`);
});

// Asked to stop: what is being thought about is finished, but not for longer than that.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    server.tryShutdown(() => process.exit(0));
    setTimeout(() => process.exit(0), STOP_MS).unref();
  });
}

// Serves the bot protocol (proto/arena/v1/bot.proto) for the bot of choose.cpp.

#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <future>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "arena/v1/bot.grpc.pb.h"
#include "choose.hpp"

namespace {

namespace v1 = arena::v1;
using Clock = std::chrono::steady_clock;
using Stream = grpc::ServerReaderWriter<v1::PlayResponse, v1::PlayRequest>;
using namespace std::chrono_literals;

// One message holds many turns: more than the 4 MiB that the library takes of its own accord.
constexpr int kMaxMessage = 64 * 1024 * 1024;
constexpr std::size_t kMaxFailure = 2000;
// Answers wait for company at most this long: one message for many quick ones.
constexpr auto kHold = 2ms;
constexpr auto kLoading = 1s;
constexpr auto kStop = 500ms;

// The answer to one turn, with its game, revision and seat. What goes wrong loses this game only.
v1::Decision decide(const v1::Turn& turn, const v1::Rules& rules) {
  const auto began = Clock::now();
  v1::Decision decision;
  try {
    decision = choose(turn, rules);
  } catch (const std::exception& error) {
    decision.set_failure(std::string(error.what()).substr(0, kMaxFailure));
  }
  decision.set_game(turn.game());
  decision.set_revision(turn.revision());
  decision.set_seat(turn.seat());
  const auto thought = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began);
  decision.set_thought_ms(static_cast<std::uint32_t>(thought.count()));
  return decision;
}

class Bot final : public v1::BotService::Service {
 public:
  explicit Bot(std::shared_future<void> loaded) : loaded_(std::move(loaded)) {}

  grpc::Status Describe(grpc::ServerContext* /*context*/, const v1::DescribeRequest* /*request*/,
                        v1::DescribeResponse* response) override {
    *response = description();
    return grpc::Status::OK;
  }

  // One stream of the arena: all games go over it.
  grpc::Status Play(grpc::ServerContext* /*context*/, Stream* stream) override {
    while (loaded_.wait_for(kLoading) != std::future_status::ready) {
      v1::PlayResponse response;
      response.mutable_loading()->set_note("load() has not returned");
      stream->Write(response);
    }
    try {
      loaded_.get();
    } catch (const std::exception& error) {
      return {grpc::StatusCode::UNKNOWN, error.what()};
    }
    v1::PlayResponse ready;
    ready.mutable_ready();
    stream->Write(ready);
    v1::PlayRequest request;
    while (stream->Read(&request)) {
      heed(request, *stream);
    }
    return grpc::Status::OK;
  }

 private:
  static void heed(const v1::PlayRequest& request, Stream& stream) {
    v1::PlayResponse response;
    if (request.has_ping()) {
      response.mutable_pong()->set_number(request.ping().number());
    }
    for (const auto& game : request.new_games()) {  // only bots that set wants_new_game are told
      auto& ready = *response.add_games_ready();
      ready.set_game(game.game());
      ready.set_seat(game.seat());
    }
    for (const auto& refusal : request.refusals()) {
      // An answer to a game that has ended meanwhile is nobody's mistake.
      if (refusal.reason() != v1::REFUSAL_REASON_GAME_OVER) {
        std::cerr << "refused: " << refusal.message() << '\n';
      }
    }
    auto since = Clock::now();
    for (const auto& turn : request.turns()) {
      *response.add_decisions() = decide(turn, request.rules(static_cast<int>(turn.rules())));
      if (Clock::now() - since > kHold) {
        stream.Write(response);
        response.Clear();
        since = Clock::now();
      }
    }
    if (response.ByteSizeLong() != 0) {
      stream.Write(response);
    }
  }

  std::shared_future<void> loaded_;
};

std::string from_environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  std::string host = from_environment("ARENA_BOT_HOST", "127.0.0.1");
  std::string port = from_environment("ARENA_BOT_PORT", "0");
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--host") {
      host = argv[i + 1];
    } else if (option == "--port") {
      port = argv[i + 1];
    } else {
      std::cerr << option << ": unknown; there are --host and --port\n";
      return 2;
    }
  }

  // Signals are waited for below, in one place: no thread of the server may take them.
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGINT);
  sigaddset(&stop, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &stop, nullptr);

  Bot bot(std::async(std::launch::async, load).share());
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder builder;
  int bound = 0;
  builder.AddListeningPort(host + ":" + port, grpc::InsecureServerCredentials(), &bound);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);  // a port that is taken is an error
  builder.SetMaxReceiveMessageSize(kMaxMessage);
  builder.SetMaxSendMessageSize(kMaxMessage);
  builder.RegisterService(&bot);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr || bound == 0) {
    std::cerr << "cannot serve on " << host << ':' << port << '\n';
    return 1;
  }
  std::cout << "ARENA_BOT_PORT=" << bound << std::endl;

  int signal = 0;
  sigwait(&stop, &signal);
  // What is being thought about is finished, but not for longer than that.
  server->Shutdown(std::chrono::system_clock::now() + kStop);
  return 0;
}

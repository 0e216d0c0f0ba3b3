// Speaks the bot protocol (proto/arena/v1/bot.proto) for the bot of choose.go.

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	pb "bot/arena/v1"
)

// The protocol's code is made of its files.
//
//go:generate -command make protoc --proto_path=proto --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative
//go:generate make arena/v1/bot.proto arena/v1/types.proto
//go:generate make arena/v1/arena.proto arena/v1/balance.proto arena/v1/sweeps.proto
//go:generate make arena/v1/chinese_checkers.proto arena/v1/doudizhu.proto arena/v1/gomoku.proto
//go:generate make arena/v1/siguo.proto arena/v1/tuolaji.proto arena/v1/xiangqi.proto

const (
	// One message holds many turns: more than the 4 MiB that the library takes of its own accord.
	maxMessage = 64 << 20
	maxFailure = 2000
	loading    = time.Second
	stopping   = 500 * time.Millisecond
)

var (
	loaded      = make(chan struct{}) // closed when load has returned
	loadFailure error
	// One for each move that is thought about at the same time.
	processors = make(chan struct{}, runtime.GOMAXPROCS(0))
)

type service struct {
	pb.UnimplementedBotServiceServer
}

func (service) Describe(context.Context, *pb.DescribeRequest) (*pb.DescribeResponse, error) {
	return description, nil
}

func (service) Play(stream pb.BotService_PlayServer) error {
	return converse(stream.Context(), stream.Recv, stream.Send)
}

// One stream of the arena, from its beginning to its end: all games go over it.
func converse(
	ctx context.Context,
	receive func() (*pb.PlayRequest, error),
	send func(*pb.PlayResponse) error,
) error {
	var sending sync.Mutex
	say := func(response *pb.PlayResponse) {
		sending.Lock()
		defer sending.Unlock()
		_ = send(response) // what is wrong with the stream, receive says, too
	}
	waiting := time.NewTicker(loading)
	defer waiting.Stop()
	for ready := false; !ready; {
		select {
		case <-loaded:
			ready = true
		case <-waiting.C:
			say(&pb.PlayResponse{Loading: &pb.Loading{Note: "load has not returned"}})
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if loadFailure != nil {
		return status.Error(codes.Unknown, loadFailure.Error())
	}
	say(&pb.PlayResponse{Ready: &pb.Ready{}})

	decisions := make(chan *pb.Decision, 256)
	written := make(chan struct{})
	go func() {
		defer close(written)
		for decision := range decisions {
			ready := []*pb.Decision{decision}
			for len(decisions) > 0 { // one message for many quick ones
				ready = append(ready, <-decisions)
			}
			say(&pb.PlayResponse{Decisions: ready})
		}
	}()
	var thinking sync.WaitGroup
	request, err := receive()
	for ; err == nil; request, err = receive() {
		heed(request, say)
		for _, turn := range request.GetTurns() {
			turn, rules := turn, request.Rules[turn.Rules]
			thinking.Add(1)
			go func() {
				defer thinking.Done()
				select {
				case processors <- struct{}{}:
					decisions <- decide(turn, rules)
					<-processors
				case <-ctx.Done(): // nobody waits for it any more
				}
			}()
		}
	}
	thinking.Wait()
	close(decisions)
	<-written
	if err == io.EOF { // the arena has said all
		return nil
	}
	return err
}

// All of a message but its turns.
func heed(request *pb.PlayRequest, say func(*pb.PlayResponse)) {
	if ping := request.GetPing(); ping != nil {
		say(&pb.PlayResponse{Pong: &pb.Pong{Number: ping.Number}})
	}
	for _, game := range request.GetNewGames() { // only bots that set WantsNewGame are told
		ready := &pb.GameReady{Game: game.Game, Seat: game.Seat}
		say(&pb.PlayResponse{GamesReady: []*pb.GameReady{ready}})
	}
	for _, refusal := range request.GetRefusals() {
		// An answer to a game that has ended meanwhile is nobody's mistake.
		if refusal.Reason != pb.RefusalReason_REFUSAL_REASON_GAME_OVER {
			fmt.Fprintln(os.Stderr, "refused:", refusal.Message)
		}
	}
}

// The answer to one turn, with its game, revision and seat. What goes wrong loses this game only.
func decide(turn *pb.Turn, rules *pb.Rules) (decision *pb.Decision) {
	began := time.Now()
	defer func() {
		if problem := recover(); problem != nil {
			decision = failure(fmt.Sprintf("%v\n%s", problem, debug.Stack()))
		}
		decision.Game, decision.Revision, decision.Seat = turn.Game, turn.Revision, turn.Seat
		decision.ThoughtMs = uint32(time.Since(began).Milliseconds())
	}()
	decision, err := choose(turn, rules)
	if err != nil {
		decision = failure(err.Error())
	}
	return decision
}

func failure(message string) *pb.Decision {
	if len(message) > maxFailure {
		message = message[:maxFailure]
	}
	return &pb.Decision{Failure: strings.ToValidUTF8(message, "")}
}

func serve(ctx context.Context, address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	server := grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage))
	pb.RegisterBotServiceServer(server, service{})
	grpc_health_v1.RegisterHealthServer(server, health.NewServer())
	fmt.Printf("ARENA_BOT_PORT=%d\n", listener.Addr().(*net.TCPAddr).Port)
	go func() {
		<-ctx.Done()
		// What is being thought about is finished, but not for longer than that.
		time.AfterFunc(stopping, server.Stop)
		server.GracefulStop()
	}()
	return server.Serve(listener)
}

func main() {
	host := flag.String("host", environment("ARENA_BOT_HOST", "127.0.0.1"), "where to serve")
	port := flag.String("port", environment("ARENA_BOT_PORT", "0"), "0: any that is free")
	arena := flag.String("connect", "", "dial in to this arena, `host:port`, with ARENA_TOKEN")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go func() {
		loadFailure = load()
		close(loaded)
	}()
	var err error
	if *arena != "" {
		err = connect(ctx, *arena, os.Getenv("ARENA_TOKEN"))
	} else {
		err = serve(ctx, net.JoinHostPort(*host, *port))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func environment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

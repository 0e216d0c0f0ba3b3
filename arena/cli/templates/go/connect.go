// Dials in to an arena service (proto/arena/v1/arena.proto): the same messages over a stream that
// the bot opens, so that a computer behind a router takes part.

package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/local"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "bot/arena/v1"
)

const (
	shortest = 100 * time.Millisecond
	longest  = 10 * time.Second
	// A stream that has lasted so long was none that failed at once.
	lasting = 30 * time.Second
)

// What will not be different the next time.
var final = map[codes.Code]bool{
	codes.Unauthenticated:    true,
	codes.PermissionDenied:   true,
	codes.InvalidArgument:    true,
	codes.NotFound:           true,
	codes.AlreadyExists:      true,
	codes.FailedPrecondition: true,
	codes.Aborted:            true,
	codes.Unimplemented:      true,
}

// Submits the bot where it is not on file, and plays until ctx is over. A lost connection is made
// again; an error is one that trying again would not help.
func connect(ctx context.Context, address, token string) error {
	if token == "" {
		return errors.New("--connect needs the token in ARENA_TOKEN")
	}
	transport := credentials.NewTLS(&tls.Config{MinVersion: tls.VersionTLS12})
	if isHere(address) {
		transport = local.NewCredentials() // in the clear
	}
	connection, err := grpc.Dial(
		address,
		grpc.WithTransportCredentials(transport),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage)),
		// A path that has gone silent is found out even while nothing is played.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time: 20 * time.Second, Timeout: 10 * time.Second,
		}),
	)
	if err != nil {
		return err
	}
	defer connection.Close()
	arena := pb.NewArenaServiceClient(connection)
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)

	submitted := false
	for wait := shortest; ; wait *= 2 {
		began := time.Now()
		err := error(nil)
		if !submitted {
			err = submit(ctx, arena)
		}
		if err == nil {
			submitted = true
			err = dialIn(ctx, arena)
		}
		if ctx.Err() != nil {
			return nil
		}
		if final[status.Code(err)] {
			return err
		}
		if err == nil {
			err = errors.New("the arena closed the stream")
			wait = shortest
		} else if time.Since(began) > lasting {
			wait = shortest
		} else if wait > longest {
			wait = longest
		}
		fmt.Fprintf(os.Stderr, "%v; again in %v at most\n", err, wait)
		select {
		case <-time.After(wait/2 + time.Duration(rand.Int63n(int64(wait/2)))):
		case <-ctx.Done():
			return nil
		}
	}
}

// Harmless where the engine is on file.
func submit(ctx context.Context, arena pb.ArenaServiceClient) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	_, err := arena.SubmitEngine(ctx, &pb.SubmitEngineRequest{
		Description: description,
		Access:      &pb.Access{Way: &pb.Access_DialIn{DialIn: &pb.DialIn{}}},
	})
	return err
}

// One stream, from its opening to its end.
func dialIn(ctx context.Context, arena pb.ArenaServiceClient) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := arena.Connect(ctx)
	if err != nil {
		return err
	}
	// Whatever is wrong with the stream is said by what is read of it.
	_ = stream.Send(&pb.ConnectRequest{
		Content: &pb.ConnectRequest_Describe{Describe: description},
	})
	first, err := stream.Recv()
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "dialled in as", first.GetEngine().GetId())
	receive := func() (*pb.PlayRequest, error) {
		message, err := stream.Recv()
		return message.GetPlay(), err
	}
	send := func(response *pb.PlayResponse) error {
		return stream.Send(&pb.ConnectRequest{Content: &pb.ConnectRequest_Play{Play: response}})
	}
	return converse(stream.Context(), receive, send)
}

// Whether an address is this machine's own.
func isHere(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback())
}

"""Who fills a seat: engines of the core, classes in this process, programs over gRPC."""

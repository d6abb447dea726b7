package hashrangetest

// SetForks sets how many accounts the tests have got.
func SetForks(server *Server, number int64) { server.forks.Store(number) }

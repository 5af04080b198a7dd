global "request" {
  value = { connection = { remote_addr = "192.0.2.1" } }
}

test {
  rules = { main = false }
}

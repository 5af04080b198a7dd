global "request" {
  value = { connection = { remote_addr = "10.20.30.40" } }
}

test {
  rules = { main = true }
}

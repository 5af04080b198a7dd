mock "time" {
  data = {
    now = {
      weekday = 1
      hour    = 10
    }
  }
}

global "request" {
  value = { operation = "update" }
}

test {
  rules = { main = true }
}

mock "time" {
  data = {
    now = {
      weekday = 6
      hour    = 23
    }
  }
}

global "request" {
  value = { operation = "read" }
}

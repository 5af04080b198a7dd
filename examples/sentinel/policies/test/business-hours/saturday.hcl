mock "time" {
  data = {
    now = {
      weekday = 6
      hour    = 10
    }
  }
}

global "request" {
  value = { operation = "update" }
}

test {
  rules = {
    main       = false
    on_weekday = false
  }
}

# nomad job run reelmill.nomad.hcl, and then for each job that waits: nomad job dispatch reelmill-transcoder
variable "api_url" {
  type    = string
  default = "http://reelmill.service.consul:8787"
}
variable "program" {
  type    = string
  default = "/opt/reelmill/bin/reelmill-transcoder"
}
variable "driver" {
  type    = string
  default = "exec"
}

job "reelmill-transcoder" {
  type = "batch"
  parameterized {
    payload = "forbidden"
  }

  group "transcoder" {
    # Nomad doesn't tell exit codes apart. It never tries again on the same machine, and prefers another one.
    restart {
      attempts = 0
      mode     = "fail"
    }
    reschedule {
      attempts       = 5
      interval       = "8h"
      delay          = "15s"
      delay_function = "exponential"
      max_delay      = "10m"
      unlimited      = false
    }

    task "transcoder" {
      driver       = var.driver
      kill_timeout = "30s"
      config {
        command = var.program
        args    = ["--once"]
      }
      env {
        REELMILL_API_URL      = var.api_url
        REELMILL_SERVICE_NAME = "transcoders"
        REELMILL_WORKDIR      = "${NOMAD_TASK_DIR}/work"
        # The driver exec gives the task a tree of its own, in which bubblewrap has no place.
        REELMILL_CONFINEMENT  = "off"
      }
      # nomad var put nomad/jobs/reelmill-transcoder service_secret=...
      template {
        data        = "REELMILL_SERVICE_SECRET={{ with nomadVar \"nomad/jobs/reelmill-transcoder\" }}{{ .service_secret }}{{ end }}"
        destination = "secrets/account.env"
        env         = true
      }
      resources {
        cpu    = 2000
        memory = 2048
      }
    }
  }
}

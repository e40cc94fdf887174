import { checkRows } from './check-rows.js'
import { DOCKER_AUTOSCALER } from './targets/docker-autoscaler.js'

checkRows(DOCKER_AUTOSCALER)

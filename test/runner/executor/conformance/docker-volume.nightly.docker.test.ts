import { checkRows } from './check-rows.js'
import { DOCKER_VOLUME } from './targets/docker.js'

checkRows(DOCKER_VOLUME)

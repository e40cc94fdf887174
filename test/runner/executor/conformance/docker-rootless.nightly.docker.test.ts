import { checkRows } from './check-rows.js'
import { DOCKER_ROOTLESS } from './targets/rootless-docker.js'

checkRows(DOCKER_ROOTLESS)

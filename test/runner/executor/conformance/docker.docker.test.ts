import { checkRows } from './check-rows.js'
import { DOCKER } from './targets/docker.js'

checkRows(DOCKER)

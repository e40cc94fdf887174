import { checkRows } from './check-rows.js'
import { PODMAN } from './targets/podman.js'

checkRows(PODMAN)

import { checkRows } from './check-rows.js'
import { PODMAN_ROOTLESS } from './targets/podman.js'

checkRows(PODMAN_ROOTLESS)

import { checkRows } from './check-rows.js'
import { HOST_BY_SOCKET } from './targets/docker-hosts.js'

checkRows(HOST_BY_SOCKET)

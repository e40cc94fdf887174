import { useWorkspaces } from './workspaces.js'

useWorkspaces('volume')

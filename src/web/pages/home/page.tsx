import { boot } from '../../api/boot.js'
import { Dashboard } from './dashboard.js'
import { Welcome } from './welcome.js'

/** The first page: what concerns the user, or what visitors can look at. */
export function Page() {
  return boot.user ? <Dashboard user={boot.user} /> : <Welcome />
}

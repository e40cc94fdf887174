import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** Whether the server cannot be reached. Buttons that change something wait until it can. */
export const Offline = createContext(false)

/** Why buttons that change something wait; undefined if they do not. */
export function useOfflineReason(isChange: boolean): string | undefined {
  return useContext(Offline) && isChange ? 'The server cannot be reached at the moment.' : undefined
}

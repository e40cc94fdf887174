/** Where Vite serves the modules of the pages. No user, group or project can have an address that begins so. */
export const PAGES_BASE = '/@pages/'

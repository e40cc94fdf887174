import { matchPaths, type PathMatch } from './match-paths.js'

/** Either the paths to search, or a text to find in them. */
export type MatchRequest = { paths: readonly string[] } | { text: string }

export interface MatchResponse {
  text: string
  matches: PathMatch[]
}

let paths: readonly string[] = []

addEventListener('message', ({ data }: MessageEvent<MatchRequest>) => {
  if ('paths' in data) paths = data.paths
  else postMessage({ text: data.text, matches: matchPaths(paths, data.text) } satisfies MatchResponse)
})

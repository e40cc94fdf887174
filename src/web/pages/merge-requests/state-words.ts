/** Word and tone of the state of a merge request. */
export interface StateLook {
  word: string
  tone: 'success' | 'accent' | 'failed' | 'neutral'
}

const LOOKS: Readonly<Record<string, StateLook>> = {
  opened: { word: 'Open', tone: 'success' },
  locked: { word: 'Merging', tone: 'accent' },
  merged: { word: 'Merged', tone: 'accent' },
  closed: { word: 'Closed', tone: 'failed' },
}

export function stateLook({ state, draft }: { state: string; draft: boolean }): StateLook {
  if (draft && state === 'opened') return { word: 'Draft', tone: 'neutral' }
  return LOOKS[state] ?? { word: state, tone: 'neutral' }
}

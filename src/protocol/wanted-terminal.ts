import { type Static, Type } from 'typebox'

import { described } from './described.js'

/** A shell that a person has asked for, and that the runner of the job is to open (runner protocol, 12.8). */
export const WantedTerminal = Type.Object({
  id: described(Type.String(), 'ID of the terminal.'),
  command: described(Type.Array(Type.String()), 'Command and arguments; empty = a shell.'),
  columns: described(Type.Integer(), 'Columns of the terminal; 0 = the command has no terminal.'),
  rows: described(Type.Integer(), 'Rows of the terminal.'),
})
export type WantedTerminal = Static<typeof WantedTerminal>

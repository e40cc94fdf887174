/** How often a test with random kills is done once more: never, or as often as SWITCHYARD_KILL_ROUNDS says. */
export const KILL_ROUNDS = { repeats: Number(process.env['SWITCHYARD_KILL_ROUNDS'] ?? 0) }

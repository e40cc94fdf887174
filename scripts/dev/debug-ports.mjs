/** Where debuggers attach with `--inspect`; .vscode/launch.json names them too. */
export const DEBUG_PORTS = { coordinator: 9229, runner: 9230 }

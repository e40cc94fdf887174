// Preloaded into the processes of `npm run dev`: they stop when that command is gone, also if it was killed. Threads load
// this file too; they have no channel.
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

/**
 * Loaded into the bot before its own code (`node --import`): when the sandbox is gone, however it ended, the
 * channel to it closes and the bot stops as if told to. The bot itself knows nothing of it.
 */

/** How long the bot may take to stop by itself, in ms: what it promises for SIGTERM. */
const stopsWithinMs = 10_000

process.on('disconnect', () => {
  setTimeout(() => process.exit(1), stopsWithinMs).unref()
  process.kill(process.pid, 'SIGTERM')
})
process.channel?.unref()

/**
 * Loaded into the bot before its own code (`node --import`). When the sandbox ends, in whatever way, its
 * channel closes and the bot stops as if told to. The bot itself knows nothing of the tether.
 */

/** The longest time for the bot to stop by itself, in ms: the time that it promises for SIGTERM. */
const stopsWithinMs = 10_000

process.on('disconnect', () => {
  setTimeout(() => process.exit(1), stopsWithinMs).unref()
  process.kill(process.pid, 'SIGTERM')
})
process.channel?.unref()

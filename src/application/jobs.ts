/** Work that is repeated at an interval. */
export interface Job {
  /** Identifies the job in the log. */
  name: string
  /**
   * The time from the beginning of one run to the beginning of the next. If a run takes longer, the next one waits
   * until it has ended.
   */
  everyMs: number
  work: () => Promise<unknown>
}

/** Runs a table of jobs. */
export interface Jobs {
  /** Starts the jobs that are due, without waiting for them, so that a long one does not hold up others. */
  round(): Promise<void>
  /** Makes the job due in the next round. */
  hasten(name: string): void
}

/** All jobs are due in the first round. @param onError called when a run fails. */
export const createJobs = (
  jobs: readonly Job[],
  { monotonicMs, onError }: { monotonicMs: () => number; onError: (name: string, error: unknown) => void },
): Jobs => {
  const dueMs = new Map<string, number>()
  const running = new Set<string>()

  const run = async ({ name, everyMs, work }: Job): Promise<void> => {
    dueMs.set(name, monotonicMs() + everyMs)
    running.add(name)
    try {
      await work()
    } catch (error) {
      onError(name, error)
    } finally {
      running.delete(name)
    }
  }

  return {
    round: async () => {
      for (const job of jobs)
        if (!running.has(job.name) && (dueMs.get(job.name) ?? 0) <= monotonicMs()) void run(job)
    },
    hasten: (name) => void dueMs.delete(name),
  }
}

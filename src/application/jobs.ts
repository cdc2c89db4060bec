/** Work that is repeated at an interval. The name is for the log. */
export interface Job {
  name: string
  /** The time between the beginnings of two runs. A run that takes longer delays the next one until it has ended. */
  everyMs: number
  work: () => Promise<unknown>
}

export interface Jobs {
  /** Starts the jobs that are due. Does not wait for them, so that a long one does not delay the others. */
  round(): Promise<void>
  /** Makes the job due in the next round, before its interval is over. */
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

-- CreateIndex
CREATE INDEX "Notice_setAsideAt_id_idx" ON "Notice"("setAsideAt", "id");

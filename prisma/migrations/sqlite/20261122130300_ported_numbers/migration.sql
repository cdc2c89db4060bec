-- CreateTable
CREATE TABLE "PortedNumber" (
    "accountId" TEXT NOT NULL,
    "phone" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "keptAt" DATETIME NOT NULL,

    PRIMARY KEY ("accountId", "phone")
);

-- CreateIndex
CREATE INDEX "PortedNumber_keptAt_idx" ON "PortedNumber"("keptAt");

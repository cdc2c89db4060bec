-- CreateTable
CREATE TABLE "PortedNumber" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "phone" TEXT COLLATE "C" NOT NULL,
    "network" TEXT COLLATE "C" NOT NULL,
    "keptAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PortedNumber_pkey" PRIMARY KEY ("accountId","phone")
);

-- CreateIndex
CREATE INDEX "PortedNumber_keptAt_idx" ON "PortedNumber"("keptAt");

-- CreateTable
CREATE TABLE "Gate" (
    "name" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Gate_pkey" PRIMARY KEY ("name")
);

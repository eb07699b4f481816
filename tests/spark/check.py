"""Takes the guide's example as it stands and runs it over a few thousand documents."""
import json
import os
import pathlib
import re

from pyspark.sql import SparkSession

guide = pathlib.Path("docs/guide.md").read_text(encoding="utf-8")
exec(re.search(r"```python\n(.*?)```", guide, re.S).group(1))

count = 5000
spark = SparkSession.builder.master("local[2]").appName("chatmd").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
texts = [(str(n), f'<config model="m"/>\n\n<user>\nquestion {n}: é < ü\n</user>\n') for n in range(count)]
requests = dict(to_requests(spark.sparkContext.parallelize(texts, 8)).collect())
spark.stop()

assert len(requests) == count, len(requests)
for n in range(count):
    assert requests[str(n)]["input"][0]["content"][0]["text"] == f"question {n}: é < ü", requests[str(n)]
print(f"{count} passed, 0 failed")

"""Prints template.yaml as CloudFormation sees it. Run by the interpreter that has SAM: `translate.py TEMPLATE`."""

import json
import logging
import sys
from pathlib import Path
from types import SimpleNamespace

from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

logging.disable(logging.WARNING)
template = yaml_parse(Path(sys.argv[1]).read_text(encoding="utf-8"))
for resource in template["Resources"].values():
    for local in {"CodeUri", "ContentUri"} & set(resource.get("Properties", {})):
        resource["Properties"][local] = f"s3://bucket/{resource['Properties'][local]}"  # as `sam package` leaves it
sys.stdout.write(json.dumps(transform(template, {}, SimpleNamespace(load=dict))))
